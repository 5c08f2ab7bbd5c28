// Both sides' connections, to one server or to a cluster, as the address says.
import { isClusterAddress } from './cluster-address.ts';
import { openClusterReader } from './cluster-reader.ts';
import { openClusterWriter } from './cluster-writer.ts';
import type { Reader, ReaderOptions } from './reader.ts';
import { openCheckedReader } from './server-check.ts';
import { openWriter, type Writer, type WriterOptions } from './writer.ts';

/** Rejects with `ReadModelUnavailable`, saying what to do, when there is no connection to be had. */
export const connectReader = (options: ReaderOptions): Promise<Reader> =>
  isClusterAddress(options.url) ? openClusterReader(options) : openCheckedReader(options);

/** Rejects with `ReadModelUnavailable`, saying what to do, when there is no connection to be had. */
export const connectWriter = (options: WriterOptions): Promise<Writer> =>
  isClusterAddress(options.url) ? openClusterWriter(options) : openWriter(options);
