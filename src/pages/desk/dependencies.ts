// What the desk is given, and what its routes share.
import type { FastifyRequest } from 'fastify';
import type { Site } from '../../calendar/site/queries/site.ts';
import type { Guests } from '../../editorial/guest-links/http/guests.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { User } from '../../people/auth/caller.ts';
import type { Tickets } from '../../people/auth/tickets.ts';
import type { UnsavedForms } from '../../people/unsaved-forms/unsaved-forms.ts';
import type { SignOnContent } from '../../people/users/desk/sign-in-page.ts';
import type { SignOnAtIssuer } from '../../people/users/http/bearers.ts';
import type { DeskAccess } from '../../people/users/http/desk-access.ts';
import type { FirstStarts } from '../../people/users/http/first-start.ts';
import type { Admitted, DeskRequest, DeskSettings, DeskSurroundings, Installation } from './page.ts';

export interface DeskDependencies extends Admitted {
  readonly access: DeskAccess;
  readonly firstStart: FirstStarts;
  readonly guests: Guests;
  readonly unsaved: UnsavedForms;
  /** Where people sign in with the single sign-on; null: they do not. */
  readonly signOnPage: string | null;
  /** Signing in at the page of the issuer; null: there is none. */
  readonly atIssuer: SignOnAtIssuer | null;
  readonly tickets: Tickets;
  readonly installation: Installation;
  readonly clock: { now(): EpochSeconds };
  readonly site: Site;
}

/** What is read in the name of a user who has not signed in here. */
export type InNameOf = DeskSurroundings & Pick<DeskRequest, 'user' | 'api' | 'preview'>;

/** What the routes of the desk share. */
export interface Desk extends DeskDependencies {
  readonly settings: DeskSettings;
  /** The way to a single sign-on, as the sign-in shows it; null: there is none. */
  readonly signOn: SignOnContent | null;
  surroundings(request: FastifyRequest): DeskSurroundings;
  /** The request of the user whose session this cookie names; null without one. */
  recognise(request: FastifyRequest, cookie: string | undefined): Promise<DeskRequest | null>;
  /** For who may see what this user may see, by a link of theirs. */
  inNameOf(request: FastifyRequest, user: User): InNameOf;
  /** The name of the session's cookie. */
  cookieName(surroundings: DeskSurroundings): string;
}
