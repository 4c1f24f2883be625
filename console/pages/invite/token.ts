const IN_HASH = /(?:^|#)invite=([\w-]{1,200})/;

/** The token of an invite in an address or its hash. It stays behind the `#`, so that no server sees it in an address. */
export const inviteTokenIn = (address: string | undefined): string | undefined => IN_HASH.exec(address ?? "")?.[1];
