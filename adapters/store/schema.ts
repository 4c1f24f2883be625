import Schema from "mongoose/lib/schema.js";

/** Mongoose's own schema class, without the rest of Mongoose and the MongoDB driver, for collections made from a schema. */
export { Schema };
