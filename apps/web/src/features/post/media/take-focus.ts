/** A `ref` for an element that replaces the pressed button: it takes the focus once, without scrolling. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
