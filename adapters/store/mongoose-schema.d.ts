/**
 * The file of Mongoose that defines its schemas. Mongoose's type definitions describe it only as a part of the whole.
 */
declare module "mongoose/lib/schema.js" {
  import { Schema } from "mongoose";

  export default Schema;
}
