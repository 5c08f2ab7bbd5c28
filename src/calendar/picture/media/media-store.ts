// The port of the files of pictures. A file never changes: it is written once, read by its name, and deleted once.
// decision 29
import type { Readable } from 'node:stream';

/** A file to be kept. Names are lower-case letters, digits, `-` and one dot. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file that is there. */
interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /** Its content; to be read or destroyed. */
  open(): Readable;
}

export interface MediaStore {
  /** Keeps files; when it resolves they survive a crash. Rejects with `MediaUnavailable`; then none of them is meant to stay. */
  write(files: readonly NewFile[]): Promise<void>;
  /** A file by its name; null if there is none. Rejects with `MediaUnavailable`. */
  find(name: string): Promise<StoredFile | null>;
  /** Deletes files; those that are gone already are passed over. Rejects with `MediaUnavailable`. */
  remove(names: readonly string[]): Promise<void>;
  /** The names of all files. Rejects with `MediaUnavailable`. */
  names(): Promise<readonly string[]>;
  /** What writing has left over that was interrupted, by names for people. Rejects with `MediaUnavailable`. */
  unfinished(): Promise<readonly string[]>;
}

/** The files cannot be written or read at present; the message says why. */
export class MediaUnavailable extends Error {
  override readonly name = 'MediaUnavailable';
}

const NAME = /^[a-z0-9-]{1,80}\.[a-z]{3,4}$/;

/** Whether a name can be that of a file of ours: never a path. */
export const isFileName = (name: string): boolean => NAME.test(name);
