import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Passkey } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { anonymous, enter, OWN_PAGE } from "./session.ts";

/** Whether this browser supports passkeys. */
export const knowsPasskeys = (): boolean => "PublicKeyCredential" in globalThis;

/** Whether the user closed the browser's dialog, or has no passkey. Browsers do not tell the two apart. */
export const isNotAllowed = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");

type Json = Record<string, unknown>;
type Described = { id: string; type: "public-key" };

const bytesOf = (text: unknown): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(String(text).replaceAll("-", "+").replaceAll("_", "/")), char => char.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const described = (list: unknown) =>
  ((list ?? []) as Described[]).map(one => ({ ...one, id: bytesOf(one.id) }));

/** Converts options for browsers without the JSON methods of WebAuthn Level 3. */
const creation = (options: Json) =>
  ({
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...(options.user as Json), id: bytesOf((options.user as Json).id) },
    excludeCredentials: described(options.excludeCredentials),
  }) as unknown as PublicKeyCredentialCreationOptions;
const request = (options: Json) =>
  ({
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: described(options.allowCredentials),
  }) as unknown as PublicKeyCredentialRequestOptions;

function answerOf(made: Credential | null): Json {
  const credential = made as PublicKeyCredential;
  if (typeof credential.toJSON === "function") return credential.toJSON() as unknown as Json;
  const { id, rawId, type } = credential;
  const response: Json = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    const value = (credential.response as unknown as Record<string, ArrayBuffer | null | undefined>)[name];
    if (value) response[name] = textOf(value);
  }
  return { id, rawId: textOf(rawId), type, response, clientExtensionResults: credential.getClientExtensionResults() };
}

/** Methods that are missing in some browsers. This file then converts the options itself. */
interface Readers {
  parseCreationOptionsFromJSON?(json: Json): unknown;
  parseRequestOptionsFromJSON?(json: Json): unknown;
}
const readers = () => PublicKeyCredential as unknown as Readers;

async function make(options: Json): Promise<Json> {
  const publicKey = readers().parseCreationOptionsFromJSON?.(options) ?? creation(options);
  return answerOf(
    await navigator.credentials.create({ publicKey: publicKey as PublicKeyCredentialCreationOptions }),
  );
}

async function ask(options: Json): Promise<Json> {
  const publicKey = readers().parseRequestOptionsFromJSON?.(options) ?? request(options);
  return answerOf(await navigator.credentials.get({ publicKey: publicKey as PublicKeyCredentialRequestOptions }));
}

export const passkeysQuery = queryOptions({
  queryKey: ["me", "passkeys"],
  queryFn: async ({ signal }): Promise<Passkey[]> => (await weft.identity.passkeys.list({}, { signal })).items,
});

const renew = () => queryClient.invalidateQueries({ queryKey: ["me"] });

/** Signs in with a passkey that the user chooses in the browser. The new session replaces the one of this tab. */
export const useEnterByPasskey = () =>
  useMutation({
    async mutationFn() {
      const { options, attempt } = await anonymous.identity.browser.passkeys.begin({}, OWN_PAGE);
      const response = await ask(options);
      await enter(anonymous.identity.browser.passkeys.finish({ attempt, response }, OWN_PAGE));
    },
    meta: { shown: true },
  });

export const useMakePasskey = () =>
  useMutation({
    async mutationFn({ name, password }: { name: string; password: string | undefined }) {
      const { options, attempt } = await weft.identity.passkeys.begin(password === undefined ? {} : { password });
      return weft.identity.passkeys.finish({ attempt, name, response: await make(options) });
    },
    onSuccess: renew,
    meta: { shown: true },
  });

export const useRenamePasskey = () =>
  useMutation({
    mutationFn: (change: { id: string; name: string }): Promise<Passkey> => weft.identity.passkeys.rename(change),
    onSuccess: renew,
    meta: { shown: true },
  });

export const useRemovePasskey = () =>
  useMutation({
    mutationFn: ({ id, password }: { id: string; password: string | undefined }): Promise<unknown> =>
      weft.identity.passkeys.remove({ id, ...(password !== undefined && { password }) }),
    onSuccess: renew,
    meta: { shown: true },
  });
