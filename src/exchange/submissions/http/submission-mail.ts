// The mail that asks to confirm a submission. Nothing of what was typed is in it: it goes to an address that any visitor may
// have typed.

import type { Site } from '../../../calendar/site/queries/site.ts';
import { languageNamed } from '../../../locales/languages.ts';
import type { Mail } from '../../mail/mailer.ts';
import { type DrawnLink, submissionToken } from '../commands/submissions.ts';
import { CONFIRM_WITHIN_SECONDS } from '../domain/submission.ts';

const HOURS = CONFIRM_WITHIN_SECONDS / 3_600;

export function submissionMail({ submission, secret, digest }: DrawnLink, site: Site): Mail {
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
