/**
 * The names that Go's `regexp` takes behind `\p`: categories, their long names and scripts of Unicode 15.0. Scripts whose
 * name has two words are missing on purpose: Go 1.26 drops the underscore before it looks them up, and finds none.
 *
 * @see https://pkg.go.dev/unicode, `Categories`, `CategoryAliases`, `Scripts` of Go 1.26
 */
const NAMES = `
  C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp
  Zs Any ASCII Assigned Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control
  Currency_Symbol Dash_Punctuation Decimal_Number Enclosing_Mark Final_Punctuation Format
  Initial_Punctuation Letter Letter_Number Line_Separator Lowercase_Letter Mark Math_Symbol
  Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other Other_Letter Other_Number
  Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Punctuation Separator Space_Separator
  Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter cntrl digit punct Adlam Ahom
  Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid
  Carian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari
  Dogra Duployan Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han
  Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi Khmer
  Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic
  Manichaean Marchen Medefaidrin Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa Nko
  Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan Saurashtra Sharada Shavian
  Siddham Sinhala Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu
  Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Yezidi Yi
`;

/** Whether Go knows the name; case, blanks, underscores and dashes do not count. */
export function isUnicodeName(name: string): boolean {
  return WRITTEN.has(name) || KNOWN.has(canonical(name));
}

const WRITTEN: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/));
const KNOWN: ReadonlySet<string> = new Set([...WRITTEN].map(canonical));

/** Go folds ASCII only. */
function canonical(name: string): string {
  return name.replace(/[ _-]+/g, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
