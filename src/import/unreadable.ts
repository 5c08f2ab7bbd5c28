/** A source, or a page of it, that cannot be read. The message is a line for people, without the name of the source. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  /** The failing page, if it is not the source as a whole. */
  readonly file: string | null;

  constructor(message: string, file: string | null = null) {
    super(message);
    this.file = file;
  }
}
