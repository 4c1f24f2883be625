// Loaded before the service by `npm start` alone, so that nothing else depends on a file of one machine.
import { existsSync } from "node:fs";

const FILE = ".env";

if (existsSync(FILE)) process.loadEnvFile(FILE);
