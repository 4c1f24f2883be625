// Only `npm start` loads this file before the service, so that nothing else depends on a file of one machine.
import { existsSync } from "node:fs";

const FILE = ".env";

if (existsSync(FILE)) process.loadEnvFile(FILE);
