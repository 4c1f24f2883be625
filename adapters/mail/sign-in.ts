import type { Socket } from "node:net";
import { createMailTransport, failureOf, type MailServer } from "./send-mail.ts";

/**
 * Signs in to a mail server over a connection, sends no mail, and closes the connection.
 * @throws {SendError}
 */
export async function signInToMail(socket: Socket, server: MailServer, silenceMs: number): Promise<void> {
  const transport = await createMailTransport(socket, server, silenceMs);
  try {
    await transport.verify();
  } catch (error) {
    throw failureOf(error as Error);
  } finally {
    socket.destroy();
  }
}
