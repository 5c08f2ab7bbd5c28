// Webhooks and their deliveries, as the API answers them.
import type { DeskRequest } from '../page.ts';
import type { Role } from '../users/reading.ts';

export const WEBHOOKS = '/desk/webhooks';
/** Roles to filter changes by: those of users, and what no user did. */
export const ACTOR_ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'system'] as const;
type ActorRole = Role | 'system';

export interface ShownFilters {
  /** Kinds and types of changes; empty: all. */
  readonly types: readonly string[];
  readonly actor: readonly number[];
  readonly role: readonly ActorRole[];
  readonly field: readonly string[];
  readonly reason: string;
}

export interface ShownWebhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly user: { readonly id: number; readonly name: string };
  readonly filters: ShownFilters;
  readonly paused: 'asked' | 'gone' | 'no_user' | null;
  readonly created: string;
  readonly former_secret_until: string | null;
  readonly waiting: number;
  readonly parked: number;
  readonly warnings: readonly 'links_to_localhost'[];
}

export interface WithSecret extends ShownWebhook {
  /** Null: the form was sent again, and it was shown before. */
  readonly secret: string | null;
}

type Failure = 'timeout' | 'connection' | 'private_network' | 'redirect' | 'status' | 'internal';

export interface Tried {
  readonly status: number | null;
  readonly failure: Failure | null;
}

interface Delivery extends Tried {
  /** The id of the event in the log, and of its delivery. */
  readonly event: string;
  readonly kind: string;
  readonly id: number;
  /** 0: none. */
  readonly attempt: number;
}

export interface DeliveryRow extends Delivery {
  readonly outcome: 'delivered' | 'dropped' | 'failed' | 'parked' | 'requested';
  readonly at: string;
}

export interface WaitingDelivery extends Delivery {
  readonly since: string;
  /** When it is tried again; null: as soon as its turn has come. */
  readonly next: string | null;
}

export interface ParkedDelivery extends Delivery {
  readonly at: string;
}

export interface DeliveriesShown {
  readonly deliveries: readonly DeliveryRow[];
  readonly waiting: readonly WaitingDelivery[];
  readonly parked: readonly ParkedDelivery[];
  readonly quiet_until: string | null;
  /** Where older ones begin; null: there are none. */
  readonly before: number | null;
}

export interface Tested extends Tried {
  readonly delivered: boolean;
  readonly milliseconds: number;
}

/** What it is called in lists: its name, or its address. */
export const titleOf = ({ name, url }: ShownWebhook): string => (name === '' ? url : name);

/** Why an attempt failed, with the status of the answer; '' if it did not. */
export const failureText = ({ words }: DeskRequest, { failure, status }: Tried): string =>
  failure === null ? '' : words(`webhook_failure_${failure}`, { status: status ?? '' });
