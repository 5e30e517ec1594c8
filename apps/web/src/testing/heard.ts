const STATES = ['current', 'pressed', 'expanded', 'invalid', 'sort', 'busy', 'selected', 'disabled'] as const;

/**
 * What a screen reader announces beyond the visible text, in order: live regions, states of controls, and visually
 * hidden texts.
 */
export function heardIn(root: Element): string[] {
  const heard: string[] = [];
  const words = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  for (const element of root.querySelectorAll('*')) {
    const name = element.getAttribute('aria-label') ?? (words(element) || element.tagName.toLowerCase());
    const role = element.getAttribute('role');
    if (role === 'status' || role === 'alert') heard.push(`${role}: ${words(element)}`);
    else if (element.classList.contains('visually-hidden')) heard.push(`unseen: ${words(element)}`);
    const live = element.getAttribute('aria-live');
    if (live !== null) heard.push(`${live}: ${words(element)}`);
    for (const state of STATES) {
      const value = element.getAttribute(`aria-${state}`);
      if (value !== null) heard.push(`${state} ${value}: ${name}`);
    }
    for (const by of ['describedby', 'labelledby']) {
      const ids = element.getAttribute(`aria-${by}`);
      if (ids !== null) heard.push(`${by}: ${ids.split(' ').map((id) => words(document.getElementById(id)))}`);
    }
  }
  return heard;
}

/** The accessible names that differ from the visible text, in order. */
export function labelsIn(root: Element): string[] {
  return [...root.querySelectorAll('[aria-label], [alt]')].map((element) => {
    const name = element.getAttribute('aria-label') ?? element.getAttribute('alt');
    return `${element.getAttribute('role') ?? element.tagName.toLowerCase()}: ${name}`;
  });
}
