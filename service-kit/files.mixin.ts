import type { Service, ServiceSchema } from "moleculer";
import { acquireFiles } from "../adapters/files/open-files.ts";
import { config } from "../config.ts";
import { Files } from "./files.ts";

export interface WithFiles {
  files: Files;
}

type Acquired = Awaited<ReturnType<typeof acquireFiles>>;

interface Held extends Partial<WithFiles> {
  acquiredFiles?: Promise<Acquired> | undefined;
}

/**
 * Gives a service the process's file store as `this.files`. It is opened at its first use, so that a service can start
 * while the file store is unavailable.
 */
export const filesMixin: Partial<ServiceSchema> = {
  created(this: Service & Held) {
    const { DATA_DIR: dataDir, MONGODB_URI: mongodbUri, FILES_URL: filesUrl } = config();
    const open = (): Promise<Acquired> => {
      const opening = acquireFiles({ dataDir, mongodbUri, filesUrl });
      // After a failure, the next use tries again.
      opening.catch(() => (this.acquiredFiles = undefined));
      return opening;
    };
    this.files = new Files(this.broker, async () => (await (this.acquiredFiles ??= open())).vault);
  },
  async stopped(this: Service & Held) {
    const acquired = await this.acquiredFiles?.catch(() => undefined);
    await acquired?.release();
  },
};
