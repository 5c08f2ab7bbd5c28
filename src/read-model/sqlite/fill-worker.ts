// The thread that writes a fill; see fill-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { connectToExisting } from './connection.ts';
import { filler } from './fill.ts';
import { type PackedPortion, unpacked } from './fill-portion.ts';
import type { FillReply, FillTask } from './fill-thread.ts';

const { file, fingerprint } = workerData as FillTask; // As fill-thread.ts starts it.
let fill: ReturnType<typeof filler> | null = null;

function replyTo(portion: PackedPortion): FillReply {
  try {
    fill ??= filler(connectToExisting(file), fingerprint);
    return { outcome: fill(unpacked(portion)) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { failure: { name, message, code: error instanceof Database.SqliteError ? error.code : null } };
  }
}

parentPort?.on('message', (portion: PackedPortion) => parentPort?.postMessage(replyTo(portion)));
