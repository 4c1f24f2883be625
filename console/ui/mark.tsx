/** The mark: three threads, the crossing one over, under, over. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" strokeLinecap="round" aria-hidden>
      <rect width="32" height="32" rx="7" fill="var(--indigo)" />
      <g stroke="var(--on-indigo)" strokeWidth="2.5">
        <path d="M10 6.5v6M10 19.500v6M16 6.500v19M22 6.500v6M22 19.500v6" opacity="0.62" />
        <path d="M5.500 16h7M19.500 16h7" />
        <path d="M12.500 16h0.500M19 16h0.500" />
      </g>
    </svg>
  );
}
