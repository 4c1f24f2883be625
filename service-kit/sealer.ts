import { Keyring } from "../adapters/secrets/keyring.ts";
import { Sealer } from "../adapters/secrets/sealer.ts";
import { sealingKeys } from "../config.ts";

let keys: Keyring | undefined;

/** The keys of this process. */
export const keyring = (): Keyring => (keys ??= new Keyring(sealingKeys()));

/** Encrypts and decrypts the field whose schema says `sealedFor` this purpose. */
export const sealerFor = (purpose: string): Sealer => new Sealer(keyring(), purpose);
