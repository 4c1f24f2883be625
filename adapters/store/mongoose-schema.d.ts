/** The file of Mongoose that defines its schemas, which its type definitions describe only as a part of the whole. */
declare module "mongoose/lib/schema.js" {
  import { Schema } from "mongoose";

  export default Schema;
}
