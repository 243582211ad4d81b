import encodeQR from 'qr';
import classes from './SecondFactor.module.css';

/** Empty modules around the symbol, required by scanners. */
const border = 4;

/** A QR code as one path. Black on white in dark colours, too: not every app reads inverted codes. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const rows = encodeQR(text, 'raw', { border });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={classes.qr} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={name}>
      <path d={path} />
    </svg>
  );
}
