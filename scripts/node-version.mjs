// Which Node can run Daybook: it must strip types and support Node-API 10, which better-sqlite3 is built for. Also read
// by Node versions that are too old.

const OLDEST = [22, 18];

/** The newest release of a line that cannot strip types; 23 was older than 22.18 and could from 23.6 on. */
const OLDEST_OF_23 = [23, 6];

const isAtLeast = ([major, minor], [wantedMajor, wantedMinor]) =>
  major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);

/** Whether a version such as `24.21.0` runs Daybook. */
export function isSupported(version) {
  const numbers = version.split('.').map(Number);
  return isAtLeast(numbers, numbers[0] === 23 ? OLDEST_OF_23 : OLDEST);
}

/** One sentence for users whose Node is too old. */
export const requirement = (version) => `Daybook needs Node ${OLDEST.join('.')} or newer; this is Node ${version}.`;
