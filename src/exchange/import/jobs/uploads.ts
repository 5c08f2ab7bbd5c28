// Uploaded files: each in a folder of its own below the system's folder for temporary files, until its import ends.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutControls } from '../../../kernel/text/plain-text.ts';
import type { ImportSource } from './job.ts';

const MAX_NAME = 100;

/** The name of a file as a client gives it, which may be a path of any system. */
function fileNameIn(text: string): string {
  const [name = ''] = withoutControls(text).split(/[\\/]/).slice(-1);
  return name.replace(/^\.+/, '').trim().slice(-MAX_NAME) || 'upload';
}

/** Writes an upload for its owner alone. */
export async function keepUpload(
  fileName: string,
  bytes: Uint8Array,
): Promise<Extract<ImportSource, { kind: 'file' }>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'daybook-import-'));
  const name = fileNameIn(fileName);
  const file = path.join(folder, name);
  await writeFile(file, bytes, { mode: 0o600 });
  return { kind: 'file', file, folder, name };
}

export async function dropUpload(source: ImportSource): Promise<void> {
  if (source.kind === 'file') await rm(source.folder, { recursive: true, force: true });
}

/** The same source for another import; null: its file is gone. */
export async function copySource(source: ImportSource): Promise<ImportSource | null> {
  if (source.kind === 'address') return source;
  const bytes = await readFile(source.file).catch(() => null);
  return bytes && keepUpload(source.name, bytes);
}
