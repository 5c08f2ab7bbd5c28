// Saving the form of a venue, an organizer, a category or a tag, and what the API says to it.
import { type ApiAnswer, type Problem, problemOf } from '../../../pages/desk/api.ts';
import { differing, mergedValues, openedWith } from '../../../pages/desk/form-values.ts';
import { type DeskRequest, textOf } from '../../../pages/desk/page.ts';
import { NO_PICTURES, pickedWith, pictureOffer } from '../../picture/desk/picture-field.ts';
import type { ResourceFormShown } from './form-page.ts';
import type { DeskKind } from './kinds.ts';
import { type Listed, search, sourceOf, treeOf } from './reading.ts';
import { emptyValues, membersOf, type ResourceValues, typedValues } from './values.ts';

interface SavedResource {
  readonly id: number;
  readonly slug?: string;
  /** Of posts. */
  readonly status?: string;
}

/** A form that was saved, or is shown again. */
type Saved = { readonly answer: ApiAnswer<SavedResource> } | { readonly again: ResourceFormShown };

/** Saves a new one, or the fields of one that differ from what the form was opened with. */
export async function saveResource(request: DeskRequest, kind: DeskKind, id: string | undefined): Promise<Saved> {
  const { api, form, words } = request;
  const was = openedWith(form, emptyValues(kind));
  const picked = await pickedWith(request);
  const values: ResourceValues = {
    ...typedValues(kind, form),
    ...(picked.image !== undefined && { image: picked.image }),
  };
  const etag = textOf(form, '_etag');
  const again = async (problem: Problem, more: Partial<ResourceFormShown> = {}): Promise<Saved> => ({
    again: {
      ...(id !== undefined && { id }),
      ...(await offersFor(request, kind, more.values ?? values)),
      values,
      was,
      etag,
      problem,
      ...more,
    },
  });
  if (picked.problem) return again(picked.problem);
  if (id === undefined) {
    const same = await namesakes(request, kind, values);
    const problem = words('name_taken');
    if (same.length > 0) return again(problemOf(problem, { [kind.name]: problem }), { same });
  }
  const names =
    id === undefined
      ? Object.keys(values).filter((name) => name === kind.name || values[name] !== was[name] || values[name] !== '')
      : differing(was, values);
  const members = membersOf(kind, values, names, id);
  const terms = { ifMatch: etag, reason: textOf(form, '_reason') };
  const path = id === undefined ? `/${kind.collection}` : `/${kind.collection}/${id}`;
  const answer = await api.send<SavedResource>(id === undefined ? 'POST' : 'PATCH', path, members, terms);
  if (answer.problem === null) return { answer };
  if (answer.status !== 412 || id === undefined) return again(answer.problem);
  const source = await sourceOf(api, kind, id);
  // A double click: the first one has saved all of this.
  if (differing(values, source.values).length === 0)
    return { answer: { ...answer, status: 200, body: { id: Number(id) } } };
  const { values: merged, theirs } = mergedValues(was, values, source.values);
  const conflict = { base: was, now: source.values, typed: values, theirs };
  return again(answer.problem, { values: merged, was: source.values, etag: source.etag, conflict });
}

/** What the form offers beside its values: what a term can be put below, and pictures. */
export async function offersFor(request: DeskRequest, kind: DeskKind, values: ResourceValues) {
  const tree = kind.isTree ? await treeOf(request.api, kind) : [];
  return { tree, picture: kind.isPost ? await pictureOffer(request, values.image ?? '') : NO_PICTURES };
}

/** Venues or organizers of the same name: the API would take the new one for one of them. It refuses terms itself. */
async function namesakes(request: DeskRequest, kind: DeskKind, values: ResourceValues): Promise<readonly Listed[]> {
  const name = (values[kind.name] ?? '').toLowerCase();
  if (!kind.isPost || name === '') return [];
  return (await search(request, kind, name)).filter((one) => one.name.toLowerCase() === name);
}
