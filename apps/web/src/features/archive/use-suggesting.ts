import { type KeyboardEvent, useRef, useState } from 'react';

/** A suggestion: the text of the search box after it is taken. */
export interface Suggestion {
  words: string;
}

export interface Suggesting {
  isOpen: boolean;
  active: number;
  /** Called by the list of suggestions when its rows change. */
  offer(suggestions: readonly Suggestion[]): void;
  /** With `goesOn` the visitor keeps typing after it, so the search is not submitted. */
  choose(suggestion: Suggestion, goesOn?: boolean): void;
  point(index: number): void;
  type(): void;
  close(): void;
  /** Handles a key of the field. Returns true if the key was for the suggestions. */
  take(event: KeyboardEvent): boolean;
  /** ARIA attributes of the field. */
  field: object;
}

const LIST_ID = 'suggestions';

/** State and keys of the suggestions below the search box. The list's code loads when the visitor types. */
export function useSuggesting(text: string, onTake: (words: string, goesOn: boolean) => void): Suggesting {
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [count, setCount] = useState(0);
  const offered = useRef<readonly Suggestion[]>([]);

  function close() {
    setIsOpen(false);
    setActive(-1);
    setCount(0);
    offered.current = [];
  }

  function choose({ words }: Suggestion, goesOn = false) {
    close();
    onTake(words, goesOn);
  }

  function take(event: KeyboardEvent): boolean {
    const { key } = event;
    if (!isOpen) {
      if (key !== 'ArrowDown') return false;
      setIsOpen(true);
    } else if (key === 'Escape') close();
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (count === 0) return false;
      const step = key === 'ArrowDown' ? 1 : -1;
      setActive((at) => (at < 0 && step < 0 ? count - 1 : (at + step + count) % count));
    } else if (key === 'Tab' || key === 'Enter') {
      const suggestion = offered.current[key === 'Tab' && !event.shiftKey ? Math.max(0, active) : active];
      if (key === 'Enter' || !suggestion || text === '') close();
      if (!suggestion) return false;
      choose(suggestion, key === 'Tab');
    } else return false;
    event.preventDefault();
    return true;
  }

  return {
    isOpen,
    active,
    offer(suggestions) {
      offered.current = suggestions;
      setCount(suggestions.length);
      setActive((at) => Math.min(at, suggestions.length - 1));
    },
    choose,
    point: setActive,
    type: () => setIsOpen(true),
    close,
    take,
    // The field keeps its search role, which supports all of these attributes except `aria-expanded`.
    field: {
      'aria-autocomplete': 'list',
      ...(isOpen && count > 0 && { 'aria-controls': LIST_ID }),
      ...(active >= 0 && { 'aria-activedescendant': `${LIST_ID}-${active}` }),
    },
  };
}
