/** The mark: three threads, the crossing one over, under, over. The documents of the pages have its picture. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} aria-hidden>
    <use href="#mark" />
  </svg>
);
