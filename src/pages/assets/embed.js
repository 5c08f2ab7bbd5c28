// <daybook-events>: a list of events of this calendar on any page. What is in the element is shown until the list has
// come, and where there is no script. It asks the service that this script comes from, and no other.
(() => {
  const home = document.currentScript.src;
  // Those of the lists of pages (filters.ts), which the tests compare.
  const FILTERS = [
    ...['when', 'search', 'categories', 'tags', 'venue', 'organizer', 'featured', 'is-virtual', 'is-free'],
    ...['on-weekend', 'in-evening', 'weekdays', 'ages', 'languages', 'accessible', 'has-image'],
    ...['series', 'collapse', 'near', 'geoloc-lat', 'geoloc-lng', 'geoloc-radius', 'per-page'],
  ];
  const style = new CSSStyleSheet();
  style.replaceSync(`
    :host { display: block; font: var(--daybook-font, inherit); color: var(--daybook-ink, inherit); }
    :host([hidden]) { display: none; }
    [part~="list"]:focus { outline: 0; }
    ol { margin: 0; padding: 0; list-style: none; }
    li { display: flex; flex-wrap: wrap; gap: 0 0.75em; padding-block: var(--daybook-gap, 0.75em);
      border-top: 1px solid var(--daybook-line, color-mix(in srgb, currentcolor 20%, transparent)); }
    [part="title"], [part="when"] { flex-basis: 100%; }
    [part="when"] { font-variant-numeric: tabular-nums; }
    [part="title"] { font-weight: 600; color: var(--daybook-accent, inherit);
      text-decoration-thickness: 1px; text-underline-offset: 0.2em; overflow-wrap: anywhere; }
    [part~="canceled"] [part="title"] { text-decoration: line-through; }
    [part="status"] { padding-inline: 0.5em; border-radius: 0.25em; background: #b3261e; color: #fff; }
    [part="links"] { display: flex; flex-wrap: wrap; gap: 0.5em 1.25em; margin: 0; padding-top: 0.75em;
      border-top: 1px solid var(--daybook-line, color-mix(in srgb, currentcolor 20%, transparent)); }
    [part~="link"] { color: var(--daybook-accent, inherit); }
    a:focus-visible { outline: 2px solid; outline-offset: 2px; }
  `);

  class DaybookEvents extends HTMLElement {
    static observedAttributes = FILTERS;
    #page = 1;
    #asked = null;

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [style];
      root.append(document.createElement('slot'));
      root.addEventListener('click', (event) => this.#turn(event));
    }

    connectedCallback() {
      this.#load();
    }

    attributeChangedCallback() {
      this.#page = 1;
      if (this.isConnected) this.#load();
    }

    disconnectedCallback() {
      this.#asked?.abort();
    }

    /** Changes of several attributes are one request. */
    async #load() {
      this.#asked?.abort();
      const asked = new AbortController();
      this.#asked = asked;
      await null;
      if (asked.signal.aborted) return false;
      this.setAttribute('aria-busy', 'true');
      const text = await this.#ask(asked.signal).catch((error) => {
        if (!asked.signal.aborted) console.warn(`daybook-events: ${error.message}`);
        return null;
      });
      if (asked.signal.aborted) return false;
      this.removeAttribute('aria-busy');
      if (text === null) return false;
      this.shadowRoot.innerHTML = text;
      return true;
    }

    async #ask(signal) {
      const address = new URL('embed/events', home);
      for (const name of FILTERS) {
        const value = this.getAttribute(name);
        if (value) address.searchParams.set(name.replaceAll('-', '_'), value);
      }
      if (this.#page > 1) address.searchParams.set('page', String(this.#page));
      const language = this.closest('[lang]')?.lang || navigator.language;
      const headers = { 'Accept-Language': language };
      const answer = await fetch(address, { headers, signal, credentials: 'omit' });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text;
    }

    async #turn(event) {
      const link = event.target.closest('[data-page]');
      if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.#page = Number(link.dataset.page);
      if (await this.#load()) this.shadowRoot.querySelector('[part~="list"]').focus();
    }
  }

  if (!customElements.get('daybook-events')) customElements.define('daybook-events', DaybookEvents);
})();
