// The port of forms that were typed and not saved yet: they may be incomplete, belong to their user alone, and expire. They are
// no facts, because what was typed by the way has to be forgotten.
// decision 28
import type { EpochSeconds } from '../../kernel/time/zone.ts';

/** One form that a user has opened. */
export interface FormPlace {
  readonly user: number;
  /** What the form is about: `event-new`, `venue-7`. */
  readonly form: string;
  /** A UUID of this opening of the form: two windows do not overwrite one another. */
  readonly key: string;
}

export interface UnsavedForm extends Omit<FormPlace, 'user'> {
  /** When something was typed last. */
  readonly at: EpochSeconds;
  /** Its fields, as forms are encoded. */
  readonly fields: string;
}

/** Rejections: `UnsavedUnavailable`. */
export interface UnsavedForms {
  /** Keeps the fields in place of earlier ones; '' removes them. `false`: the form was saved, or its user was erased. */
  put(place: FormPlace, fields: string, now: EpochSeconds): Promise<boolean>;
  /** Those of a user that have not expired, the newest first. */
  list(user: number, now: EpochSeconds): Promise<readonly UnsavedForm[]>;
  /** The form was saved or discarded: what its page sends late is not kept any more. */
  end(place: FormPlace, now: EpochSeconds): Promise<void>;
}

/** They cannot be written or read at present; the message says why. */
export class UnsavedUnavailable extends Error {
  override readonly name = 'UnsavedUnavailable';
}

/** So many forms of each user are stored; the oldest make room. */
export const MAX_UNSAVED = 20;
export const EXPIRES_SECONDS = 30 * 86_400;

const FORM = /^[a-z]{1,20}-(?:new|[1-9]\d{0,14})$/;
const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether these can be the names of a form and of an opening of it. */
export const isFormPlace = ({ form, key }: Omit<FormPlace, 'user'>): boolean => FORM.test(form) && KEY.test(key);
