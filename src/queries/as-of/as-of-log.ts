// The log as calendars of the past are made from it; see src/queries/past.

import { CONTROL_STREAM } from '../../../projections/control.ts';
import { type AnyProjection, keyOf } from '../../../projections/projection.ts';
import { LOG_START, type Position } from '../../event-store/envelope.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { instantOf } from '../../event-store/fold.ts';
import type { Document } from '../../read-model/documents.ts';
import type { ReadModel } from '../../read-model/read-model.ts';
import type { RenderingSettings } from '../../rendering/settings.ts';
import type { EpochSeconds } from '../../time/zone.ts';
import type { PastDocumentOptions } from './as-of-documents.ts';
import {
  fillPast,
  isStillOpen,
  type PastDocuments,
  type PastOptions,
  pastDocuments,
  withoutUsers,
} from './replay-as-of.ts';

const PAGE = 1_000;

export interface PastLogOptions {
  readonly store: EventStore;
  readonly projections: readonly AnyProjection[];
  readonly rendering: RenderingSettings;
  /** An empty read model, in memory. */
  readonly openPastModel: () => ReadModel;
  /** Makes the documents elsewhere than in this thread. */
  readonly pastDocuments?: (options: PastOptions) => PastDocuments;
}

export function openPastLog({ store, projections, rendering, openPastModel, ...elsewhere }: PastLogOptions) {
  const documentsOf = elsewhere.pastDocuments ?? ((options) => pastDocuments(store, projections, options));
  const listed = withoutUsers(projections);
  const prefixes = [...listed.map(({ prefix }) => prefix), CONTROL_STREAM];

  async function make(at: EpochSeconds, texts: PastDocumentOptions['texts']) {
    const upTo = await store.head();
    const readModel = openPastModel();
    try {
      const filled = await fillPast(readModel, documentsOf({ upTo, at, texts, rendering }), upTo);
      return { ...filled, readModel, upTo };
    } catch (error) {
      await readModel.close();
      throw error;
    }
  }

  return {
    make,
    async firstInstant(): Promise<EpochSeconds | null> {
      const [first] = await store.readAll({ after: LOG_START, limit: 1 });
      return first ? instantOf(first) : null;
    },
    head: () => store.head(),
    readOn: (after: Position) => store.readAll({ after, prefixes, limit: PAGE }),
    keyOf(stream: string) {
      const projection = listed.find(({ prefix }) => stream.startsWith(prefix));
      return projection ? keyOf(projection, stream) : null;
    },
    isStillOpen: (document: Document) => isStillOpen(store, listed, document),
  };
}
