/** The Kontor logo, for dark backgrounds. */
export const Mark = ({ size = 26 }: { size?: number }) => (
  <svg viewBox="0 0 34 40" height={size} aria-hidden>
    <rect fill="#7fb0ff" x="2" y="6" width="7" height="28" rx="2" />
    <path fill="#7fb0ff" d="M12 19.2 23.4 7.1A3.4 3.4 0 0 1 25.900 6H31L17.400 20.400z" />
    <path fill="#f2a33a" d="M14.300 23.500 19 18.600 32 34h-5.600a3.400 3.400 0 0 1-2.600-1.200z" />
  </svg>
)
