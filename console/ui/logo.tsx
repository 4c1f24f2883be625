/**
 * The logo: three threads, and a fourth that crosses them over, under, over. The HTML documents contain the same
 * picture.
 */
export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} aria-hidden>
    <use href="#mark" />
  </svg>
);
