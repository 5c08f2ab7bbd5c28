// What the keeper of submissions does to them, over the commands, and the text of the mail that it sends.

import type { Site } from '../../../calendar/site/queries/site.ts';
import type { CommandDependencies } from '../../../commands/context.ts';
import { languageNamed } from '../../../locales/languages.ts';
import type { KeyRing } from '../../../people/personal-data/facts/key-ring.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { SubmissionWatch } from '../commands/submission-watch.ts';
import {
  type DrawnLink,
  drawSubmissionLink,
  expireSubmissionOf,
  noteSubmissionMailed,
  type Step,
  submissionToken,
} from '../commands/submissions.ts';
import { CONFIRM_WITHIN_SECONDS } from '../domain/submission.ts';

export interface SubmissionDuties {
  readonly watch: SubmissionWatch;
  drawLink(step: Step, id: number): Promise<DrawnLink | null>;
  noteMailed(step: Step, id: number): Promise<unknown>;
  expire(step: Step, id: number): Promise<unknown>;
  /** Of submissions that have ended. */
  destroyKeys(ids: readonly number[]): Promise<void>;
  compose(drawn: DrawnLink): Mail;
}

interface DutyOptions {
  readonly commands: CommandDependencies;
  readonly watch: SubmissionWatch;
  readonly keys: Pick<KeyRing, 'destroy' | 'look'>;
  readonly site: Site;
}

const HOURS = CONFIRM_WITHIN_SECONDS / 3_600;

export const submissionDuties = ({ commands, watch, keys, site }: DutyOptions): SubmissionDuties => ({
  watch,
  drawLink: (step, id) => drawSubmissionLink(commands, step, id),
  noteMailed: (step, id) => noteSubmissionMailed(commands, step, id),
  expire: (step, id) => expireSubmissionOf(commands, step, id),
  async destroyKeys(ids) {
    const subjects = ids.map((id) => `submission-${id}`);
    if (subjects.length === 0) return;
    const keyOf = await keys.look(new Set(), new Set(subjects));
    for (const subject of subjects) if (keyOf(subject) !== 'destroyed') await keys.destroy(subject);
  },
  compose: (drawn) => composed(drawn, site),
});

/** Nothing of what was typed is in it: it goes to an address that any visitor may have typed. */
function composed({ submission, secret, digest }: DrawnLink, site: Site): Mail {
  const { site: base } = submission;
  const { pages } = languageNamed(submission.language) ?? site.language;
  const { hostname } = new URL(base);
  const values: { readonly [slot: string]: string } = {
    site: site.name ?? hostname,
    link: `${base}/submit/${submissionToken(submission.id, secret)}`,
    hours: String(HOURS),
  };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (slot, name: string) => values[name] ?? slot);
  return {
    to: { name: '', address: submission.email },
    subject: filled(pages.mail_subject),
    text: filled(pages.mail_text),
    id: `submission-${submission.id}.${digest.slice(0, 16)}@${hostname}`,
  };
}
