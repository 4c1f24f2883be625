import { MAX_HELD } from "../../../contracts/actions/files.ts";
import { type FileValue, fileValueOf } from "../../../contracts/entities/file.ts";
import { AppError, errorCode } from "../../../contracts/errors.ts";
import type { FormFault } from "../../../core/forms/check-form.ts";
import { type FilePlace, filePlaces, type FileRules, takesType, withFiles } from "../../../core/forms/file-fields.ts";
import { fileOf } from "../../../core/run/references.ts";
import type { Values } from "../store/values.ts";

interface Owner {
  id: string;
  workspaceId: string;
}

/** Why the rules of a field refuse a file; undefined if they accept it. */
function refusal(rules: FileRules, { type, size }: FileValue["$file"]): string | undefined {
  if (size > rules.maxBytes) return `The file is larger than ${rules.maxBytes} bytes.`;
  return takesType(rules, type) ? undefined : `Files of the type ${type} are not taken, but ${rules.types.join(", ")}.`;
}

async function located({ files }: Values, { workspaceId }: Owner, id: string): Promise<FileValue | undefined> {
  try {
    return fileValueOf(await files.locate(workspaceId, id, "file"));
  } catch (error) {
    if (errorCode(error) === "not_found") return undefined;
    throw error;
  }
}

/**
 * An answer with the files that its form asks for, as they are stored. The run holds them from now on.
 * @throws {AppError} validation_failed with the place of each fault; unavailable
 */
export async function answerWithFiles(values: Values, run: Owner, form: unknown, data: unknown): Promise<unknown> {
  const places = filePlaces(form, data).slice(0, MAX_HELD);
  if (places.length === 0) return data;
  const found = new Map<string, FileValue>();
  const faults: FormFault[] = [];
  const check = async ({ rules, value }: FilePlace): Promise<string | undefined> => {
    const id = fileOf(value);
    if (id === undefined) return 'Expected a file, as `{"$file": {"id": …}}`.';
    const file = found.get(id) ?? (await located(values, run, id));
    if (!file) return "The file does not exist.";
    found.set(id, file);
    return refusal(rules, file.$file);
  };
  for (const place of places) {
    const message = await check(place);
    if (message !== undefined) faults.push({ path: `/data${place.path}`, message });
  }
  if (faults.length > 0)
    throw new AppError("validation_failed", { detail: "The data does not match the form.", errors: faults });
  await values.files.hold(run.workspaceId, [...found.keys()], `execution:${run.id}`);
  return withFiles(data, found);
}
