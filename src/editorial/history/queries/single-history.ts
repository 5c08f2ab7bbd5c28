// The history of something that there is once, with one stream, whose last event says everything: the rules of review, the
// settings of the site.
import type { Fact } from '../../../domain/decider.ts';
import type { Sentence, Sentences } from '../../../locales/language.ts';
import { ENGLISH } from '../../../locales/languages.ts';
import { factOf, instantOf, type RecordedEvent } from '../../../log/envelope.ts';
import { openActors } from '../../../people/users/facts/actors.ts';
import { sentenceFor } from './describe-change.ts';
import type { Change } from './field-changes.ts';
import { frameOf, type HistoryDependencies, type HistoryEntry } from './history.ts';

type SingleHistoryDependencies = Pick<HistoryDependencies, 'store' | 'display' | 'sentences'>;

/** How its states differ, and how that is said. */
interface Single<State, F extends Fact> {
  readonly stream: string;
  readonly initial: State;
  readonly evolve: (state: State | null, fact: F, at: number) => State | null;
  readonly changesBetween: (before: State, after: State) => readonly Change[];
  /** The sentences of its facts; `{changes}` is what `inWords` says of each change. */
  readonly facts: (sentences: Sentences) => { readonly [Type in F['type']]: Sentence };
  readonly inWords: (sentences: Sentences, change: Change) => string;
}

/** Newest first. */
export const singleHistory =
  <State, F extends Fact>({ stream, initial, evolve, changesBetween, facts, inWords }: Single<State, F>) =>
  async ({ store, display, sentences = ENGLISH.sentences }: SingleHistoryDependencies): Promise<HistoryEntry[]> => {
    const actors = openActors(store);
    const words: Sentences = { ...sentences, facts: { ...sentences.facts, ...facts(sentences) } };

    /** A fact of a newer version is listed, and changes nothing for later ones. */
    function stateAfter(event: RecordedEvent, previous: State): State {
      try {
        return evolve(previous, factOf(event), instantOf(event)) ?? previous;
      } catch {
        return previous;
      }
    }

    const entries: HistoryEntry[] = [];
    let before = initial;
    for (const event of await store.readStream(stream)) {
      const after = stateAfter(event, before);
      const changes = changesBetween(before, after);
      const { type, metadata } = event;
      entries.push({
        ...(await frameOf(event, display, actors)),
        reason: metadata.reason ?? null,
        type,
        summary: sentenceFor(words, event, null, { changes: changes.map((one) => inWords(sentences, one)) }),
        changes,
        correlation_id: metadata.correlationId,
      });
      before = after;
    }
    return entries.reverse();
  };
