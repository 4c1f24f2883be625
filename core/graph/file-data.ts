import { z } from "zod";
import { isObject } from "../json.ts";
import { fileOf } from "../run/references.ts";

/** The most files of one message to a model. */
const MAX_MESSAGE_FILES = 16;

const EXPECTED = 'Expected a file, as `{"$file": {"id": …}}`';

/**
 * A file in a step's data, in the form in which runs hold it. Only its id identifies the file. The fault is at the
 * innermost value, which may be an expression.
 */
export const fileData = z.looseObject({}, EXPECTED).superRefine((value, context) => {
  if (fileOf(value) !== undefined) return;
  const { $file } = value;
  const path = isObject($file) ? ["$file", "id"] : ["$file"];
  context.addIssue({ code: "custom", path, message: EXPECTED });
});

/** The length is checked before the items, as in other lists of step data. */
export const messageFiles = z.array(z.unknown()).max(MAX_MESSAGE_FILES).pipe(z.array(fileData));
