// What a process has opened.

import type { MediaStore } from './calendar/picture/media/media-store.ts';
import type { PictureMaker } from './calendar/picture/media/renditions.ts';
import type { Site } from './calendar/site/queries/site.ts';
import type { Mailer } from './exchange/mail/mailer.ts';
import type { AppendObserver, EventStore, TryWriting } from './log/event-store.ts';
import type { CacheCounts } from './observability/metrics.ts';
import type { KeyRing, Unreadable } from './people/personal-data/facts/key-ring.ts';
import type { UnsavedForms } from './people/unsaved-forms/unsaved-forms.ts';
import type { Generations, Lease } from './read-model/generations.ts';
import type { IndexedModel } from './read-model/indexed-model.ts';
import type { Project } from './read-model/projector/bring-along.ts';
import type { Gate, ReadModel } from './read-model/read-model.ts';
import type { RenderingSettings } from './rendering/post-fragment.ts';

/** An open log, and what is known of its read model without opening it. */
export interface LogStores {
  readonly store: EventStore;
  /** The log as stored: events in their original form, personal data encrypted. */
  readonly rawLog: EventStore;
  /** Tells of every append through `store` from now on. */
  readonly observeAppends: (observe: AppendObserver) => void;
  /** Absent if the engine of the log cannot tell without an append. */
  readonly tryWriting?: TryWriting | undefined;
  /** The keys of personal data in the log. */
  readonly keys: Pick<KeyRing, 'destroy' | 'look' | 'make' | 'assertInPlace' | 'copy' | 'pepper'>;
  /** Subjects whose personal data could not be read so far. */
  readonly unreadable: Unreadable;
  /** How many ids are reserved at once: one if a single process writes, so that ids have no gaps. */
  readonly idBlock: number;
  readonly rendering: RenderingSettings;
  readonly site: Site;
  readonly project: Project;
  close(): Promise<void>;
}

/** Both stores, open. */
export interface Stores extends LogStores {
  /** Reads are answered if `gate` admits them. */
  readonly readModel: ReadModel;
  /** The read model of the projector, without the guard. */
  readonly projectorModel: ReadModel;
  /** What was applied through that one, and the list index of this process. */
  readonly recentChanges: Pick<
    IndexedModel,
    'haveChanged' | 'index' | 'indexAt' | 'recall' | 'empty' | 'storage' | 'named'
  >;
  readonly gate: Gate;
  /** The builds of the read model, to look at the one in use apart from what reads it; absent in memory. */
  readonly generations?: () => Promise<Generations>;
  /** What lies in the data folder beside the stores. */
  readonly besides: {
    /** The key that signs audit trails, made with its first use; `instant` in ISO 8601. */
    signer(instant: string): { readonly id: string; readonly publicKey: string; readonly privateKey: string };
    /** When a backup was made last, in UTC seconds; null: never. */
    lastBackup(): Promise<number | null>;
  };
  /** Whether other processes may answer requests from them, too. */
  readonly isShared: boolean;
  /** The files of uploaded pictures, and what makes them. */
  readonly media: MediaStore;
  readonly pictures: PictureMaker;
  /** What was typed at the desk and not saved. */
  readonly unsaved: UnsavedForms;
  /** Absent: no mail is sent. */
  readonly mailer?: Mailer;
  /** Decides which of several projectors works; null if one process owns the read model. */
  readonly lease: Lease | null;
  /** Decides which of several processes sends what webhooks subscribe to. */
  readonly senderLease: Lease | null;
  /** Hits and misses of cached documents; absent without a cache. */
  readonly documentCounts?: () => CacheCounts;
}
