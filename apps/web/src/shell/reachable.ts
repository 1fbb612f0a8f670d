/** For `ref` of a region that scrolls by itself and holds nothing to focus: the keyboard reaches it, and so scrolls it. */
export const reachable = (element: HTMLElement | null): void => {
  if (element !== null) element.tabIndex = 0
}
