import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

// A part that is loaded when it is needed takes more than the second of the default on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => cleanup());

// jsdom has the element but not its methods.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};
Element.prototype.scrollIntoView ??= () => {};
// Nothing has a size there, so none changes.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// What jsdom lacks: a window with no answer to any question about its screen.
window.matchMedia ??= () => new EventTarget() as MediaQueryList;
