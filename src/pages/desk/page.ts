// What the pages of the desk work with.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { StoredFacts } from '../../editorial/audit/queries/stored-facts.ts';
import type { SystemState } from '../../http/operations/system-state.ts';
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import type { PageSurroundings } from '../../http/server.ts';
import type { TimeRange } from '../../kernel/time/time-range.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import type { DeskWord, Language } from '../../locales/language.ts';
import type { User } from '../../people/auth/caller.ts';
import type { ImportersAdmitted } from '../../people/auth/policy.ts';
import type { SignedIn } from '../../people/auth/sessions.ts';
import type { UnsavedForm } from '../../people/unsaved-forms/unsaved-forms.ts';
import type { EventAnswer } from '../answers.ts';
import type { Html } from '../html.ts';
import type { PictureDetails } from '../picture-details.ts';
import type { DeskWords } from '../words.ts';
import type { DeskApi, Problem } from './api.ts';

/** What every page of the desk is made with, also before the user has signed in. */
export interface DeskSurroundings {
  readonly siteName: string;
  /** Absolute, without a slash at its end. */
  readonly site: string;
  readonly language: Language;
  readonly words: DeskWords;
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  /** The sign of prices that are written without one. */
  readonly currencySign: string;
  /** What was sent in the address. */
  readonly parameters: ParameterMap;
  /** What a form sent; empty for a page that was only asked for. */
  readonly form: ParameterMap;
}

interface MenuEntry extends Pick<DeskSection, 'word' | 'path' | 'count'> {
  /** How much waits there for this user. */
  readonly waiting: number;
}

export interface MenuGroup {
  readonly word: DeskWord;
  readonly entries: readonly MenuEntry[];
}

/** A request of a user who is signed in. */
export interface DeskRequest extends DeskSurroundings {
  readonly user: User;
  readonly signedIn: SignedIn;
  /** The sections that this user finds. */
  readonly menu: readonly MenuGroup[];
  /** The API in the name of this user. */
  readonly api: DeskApi;
  /** For the hidden field `_csrf` of every form: see forms.ts. */
  readonly formToken: string;
  /** What this user has typed into forms and not saved. */
  readonly unsaved: () => Promise<readonly UnsavedForm[]>;
  /** The file of the form; null: it has none. */
  readonly file: File | null;
  /** The public page of an event that this user may read. */
  readonly preview: (content: Previewed) => Promise<Html>;
}

/** An event that is shown as visitors would see it. */
export interface Previewed {
  readonly event: EventAnswer;
  /** Null: it is not a state of the event's history. */
  readonly revision: number | null;
  /** Null: it has no uploaded one. */
  readonly picture: PictureDetails | null;
  /** How its series repeats, in words; null: it is not a date of one. */
  readonly repeats: string | null;
  /** What stands above the page. */
  readonly bar: Html;
}

/** What the server gives to the desk, and the public pages. */
export interface DeskSettings extends PageSurroundings {
  readonly preview: (request: FastifyRequest, content: Previewed) => Promise<Html>;
  /** The application with the routes of the API. */
  readonly api: Pick<FastifyInstance, 'inject'>;
}

/** What an installation lets which users do. */
export interface Admitted {
  readonly importers: ImportersAdmitted;
}

/** Where lines go; waits while their reader is slower. */
export interface Lines {
  write(line: string): Promise<void>;
}

/** A resource with an event that cannot be applied: it is shown as it was before. */
interface Parked {
  readonly resource: { readonly kind: string; readonly id: number };
  readonly at: { readonly instant: string };
}

/** What the desk shows of the installation itself, which no route of the API answers. */
export interface Installation {
  readonly parked: () => Promise<readonly Parked[]>;
  readonly examine: () => Promise<SystemState>;
  /** Writes the signed audit trail of a span of time. */
  readonly auditTrail: (range: TimeRange, lines: Lines) => Promise<unknown>;
  readonly facts: StoredFacts;
}

export interface DeskSection {
  /** Its name in the menu. */
  readonly word: DeskWord;
  readonly path: string;
  /** Who finds it in the menu. What pages show and do is decided by the API. */
  readonly may: (user: User, admitted: Admitted) => boolean;
  /** How much waits there for this user: shown in the menu of each page, so it has to be cheap. Absent: nothing ever does. */
  readonly count?: (request: DeskRequest) => Promise<number>;
  /** Adds the routes of its pages. All of them are for users who are signed in. */
  readonly routes: (app: FastifyInstance, installation: Installation) => void;
}

/** A page before its layout. */
export interface DeskPage {
  /** Plain text. */
  readonly title: string;
  /** The section of the menu, by its path. */
  readonly section?: string;
  readonly status?: number;
  /** What it says is wrong: without a status of its own it has that one. */
  readonly problem?: Problem | null;
  /** Styles and scripts of its own; absent: what inputs for days need. */
  readonly head?: Html;
  readonly main: Html | readonly (Html | false | undefined)[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** In routes of the desk, of a user who is signed in. */
    desk: DeskRequest;
  }
}

/** A text of the form; '' if it was not sent. */
export const textOf = (parameters: ParameterMap, name: string): string => {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
};

/** The texts of a list (`name[]`), or the one text of that name. */
export function textsOf(parameters: ParameterMap, name: string): readonly string[] {
  const value = parameters[name];
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];
}
