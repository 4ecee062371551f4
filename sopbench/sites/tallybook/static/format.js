// How the company writes amounts and days.

export function formats({ locale, currency, minorDigits }) {
  const digits = { minimumFractionDigits: minorDigits, maximumFractionDigits: minorDigits };
  const money = new Intl.NumberFormat(locale, { style: "currency", currency, currencySign: "accounting", currencyDisplay: "narrowSymbol", ...digits });
  const short = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol", notation: "compact", maximumFractionDigits: 2 });
  const plain = new Intl.NumberFormat(locale, digits);
  const percent = new Intl.NumberFormat(locale, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
  const fullDay = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });
  const major = (minor) => minor / 10 ** minorDigits;
  return {
    money: (minor) => money.format(major(minor)),
    compact: (minor) => short.format(major(minor)),
    // 12,400.00 or (12,400.00)
    amount: (minor) => (minor < 0 ? `(${plain.format(major(-minor))})` : plain.format(major(minor))),
    share: (ratio) => percent.format(Math.abs(ratio)),
    day: (iso) => day.format(new Date(iso)),
    fullDay: (iso) => fullDay.format(new Date(iso)),
    range: ({ starts, ends }) => `${day.format(new Date(starts))} – ${fullDay.format(new Date(ends))}`,
  };
}

// null where there is nothing to compare with
export function change(now, before) {
  return before === null || before === 0 ? null : (now - before) / Math.abs(before);
}
