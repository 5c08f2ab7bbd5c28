// The access log: a line of JSON for each answer, into a file or to standard output.
import pino from 'pino';
import { makePrivateFile } from '../kernel/files/private-files.ts';

/** One answer. Queries, credentials and bodies are never in it. */
export interface Access {
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** The address of the client as limits count it: for IPv6 only the network. */
  readonly address: string;
  readonly method: string;
  /** Null where paths may be secrets of their own: at the desk, and of links sent by mail. */
  readonly path: string | null;
  /** The pattern of the route; `none` for paths without one. */
  readonly route: string;
  readonly status: number;
  /** Sent, headers included. */
  readonly bytes: number;
  readonly ms: number;
  readonly id: string;
  /** The id of the user; null for the public. */
  readonly user: number | null;
  readonly agent: string | null;
}

export type AccessLog = ReturnType<typeof openAccessLog>;

/** Characters that wait to be written; what is beyond, as on a full disk, is missing from the log. */
const MAX_WAITING = 4_194_304;

/**
 * `file`: a path, or `-` for standard output. Throws what the system throws if it cannot be opened. `failed` is called once if
 * lines cannot be written later: then they are missing, and answers go on.
 */
export function openAccessLog(file: string, failed: (error: unknown) => void) {
  if (file !== '-') makePrivateFile(file);
  const dest = file === '-' ? 1 : file;
  const destination = pino.destination({ dest, append: true, mode: 0o600, sync: false, maxLength: MAX_WAITING });
  let hasFailed = false;
  let isFailing = false;
  destination.on('error', (error: unknown) => {
    if (!hasFailed) failed(error);
    hasFailed = true;
    isFailing = true;
  });
  destination.on('write', () => {
    isFailing = false;
  });
  return {
    write: (access: Access) => void destination.write(`${JSON.stringify(access)}\n`),
    /** Opens the file again: rotation has moved it away. */
    reopen: () => {
      if (file !== '-') destination.reopen();
    },
    /** Writes what is left; what cannot be written is given up. */
    close() {
      // On a full disk flushing would be tried again for ever, also when the process exits.
      if (isFailing) destination.destroy();
      else destination.flushSync();
    },
  };
}
