import type { Socket } from "node:net";
import {
  SIGN_IN_MS,
  type SqlError,
  type SqlOutput,
  type SqlSession,
  type SqlStatement,
  type SqlWork,
  tooLarge,
} from "./port.ts";
import { checkSize } from "./rows.ts";
import { withStatementLimit, withTimeout } from "./time-limit.ts";

/** The bytes that a server may send for the description of rows, in addition to the rows. */
const DESCRIPTION_BYTES = 1_048_576;

/** A session that performs each work as one transaction. Subclasses implement the protocols. */
export abstract class TransactionSession implements SqlSession {
  isLost = false;
  #received = 0;
  #maxBytes = Infinity;
  /** The reason if this process ended the connection. */
  #ended: SqlError | undefined;

  abstract close(): void;
  protected abstract readonly stream: Socket;
  protected abstract begin(work: SqlWork): Promise<unknown>;
  protected abstract perform(statement: SqlStatement, work: SqlWork): Promise<SqlOutput>;
  protected abstract commit(): Promise<unknown>;
  protected abstract rollback(): Promise<unknown>;
  /** Clears the state that statements have left in the session. */
  protected abstract forget(): Promise<unknown>;
  /** Asks the server, over another connection, to end the statement. */
  protected abstract interrupt(): void;
  protected abstract failureOf(error: unknown): SqlError;

  async run(work: SqlWork): Promise<SqlOutput[]> {
    const { statements, maxBytes } = work;
    let begun = false;
    let own: Error | undefined;
    const perform = async () => {
      await this.begin(work);
      begun = true;
      await work.begun().catch((error: unknown) => {
        own = error as Error;
        throw error;
      });
      this.#limit(maxBytes + DESCRIPTION_BYTES);
      const outputs: SqlOutput[] = [];
      for (const statement of statements) outputs.push(await this.perform(statement, work));
      checkSize(outputs, maxBytes);
      await this.commit();
      return outputs;
    };
    try {
      const interrupt = () => this.interrupt();
      return await withStatementLimit(perform, work, { interrupt, destroy: error => this.#destroy(error) });
    } catch (error) {
      const failure = this.#ended ?? this.failureOf(error);
      failure.begun = begun;
      if ((failure.lost && own === undefined) || this.isLost) this.close();
      else await withTimeout(SIGN_IN_MS, this.rollback()).catch(() => this.close());
      throw own !== undefined && !this.#ended ? own : failure;
    } finally {
      this.#limit(Infinity);
    }
  }

  async reset(): Promise<void> {
    try {
      await withTimeout(SIGN_IN_MS, this.forget());
    } catch (error) {
      this.close();
      throw this.failureOf(error);
    }
  }

  /** Counts the bytes from the server. If there are too many, it ends the connection and returns false. */
  protected count(bytes: number): boolean {
    this.#received += bytes;
    if (this.#received <= this.#maxBytes) return true;
    this.#destroy(tooLarge(this.#maxBytes));
    return false;
  }

  #limit(bytes: number): void {
    this.#received = 0;
    this.#maxBytes = bytes;
  }

  #destroy(error: SqlError): void {
    this.#ended ??= error;
    this.isLost = true;
    this.stream.destroy(error);
  }
}
