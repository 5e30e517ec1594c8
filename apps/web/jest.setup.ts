import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

// On a busy machine a lazily loaded part takes longer than the default of one second.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => cleanup());

// jsdom has the element without its methods.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};
Element.prototype.scrollIntoView ??= () => {};
// jsdom has no layout, so no element changes its size.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// jsdom lacks it. This one matches no media query.
window.matchMedia ??= () => new EventTarget() as MediaQueryList;
