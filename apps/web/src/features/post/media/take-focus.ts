/** As a `ref`: what takes the place of the button that was pressed takes its focus once, without scrolling. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
