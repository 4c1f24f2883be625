const IN_HASH = /(?:^|#)invite=([\w-]{1,200})/;

/**
 * The token of an invitation in an address or its hash. It is after the `#`, because browsers do not send that part to
 * servers.
 */
export const inviteTokenIn = (address: string | undefined): string | undefined => IN_HASH.exec(address ?? "")?.[1];
