// Loaded into a command, tells its processor time when it ends: milliseconds, into the file that USAGE_FILE names.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.USAGE_FILE, String((user + system) / 1000));
});
