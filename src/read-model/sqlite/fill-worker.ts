// The thread that writes a fill; see fill-thread.ts.
import { workerData } from 'node:worker_threads';
import { connectToExisting } from './connection.ts';
import { filler } from './fill.ts';
import { type PackedPortion, unpacked } from './fill-portion.ts';
import type { FillTask } from './fill-thread.ts';
import { answerQuestions } from './threads.ts';

const { file, fingerprint } = workerData as FillTask; // As fill-thread.ts starts it.
let fill: ReturnType<typeof filler> | null = null;

answerQuestions((portion) => {
  fill ??= filler(connectToExisting(file), fingerprint);
  return fill(unpacked(portion as PackedPortion)); // As fill-thread.ts sends it.
});
