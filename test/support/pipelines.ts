// A log with one stage, as tests of that stage need it.
import { personalData } from '../../src/event-store/encryption/encrypting-store.ts';
import type { KeyRing, Unreadable } from '../../src/event-store/encryption/key-ring.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { hashChain } from '../../src/event-store/hash-chain/hash-chain.ts';
import { pipeline } from '../../src/event-store/pipeline.ts';
import { todaysShape, type Upcasters } from '../../src/event-store/upcasting/upcast.ts';

export const withHashChain = (log: EventStore): EventStore => pipeline(log, [hashChain]);

export const withPersonalData = (log: EventStore, keys: KeyRing, unreadable?: Unreadable): EventStore =>
  pipeline(log, [personalData(keys, unreadable)]);

export const withUpcasting = (log: EventStore, upcasters: Upcasters): EventStore =>
  pipeline(log, [todaysShape(upcasters)]);
