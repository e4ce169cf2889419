// The ranges of phone numbers that are never called, as one table for each calling code.

/** Why a range of numbers is never called: it costs the caller extra, or it is no line that a gate could have. */
export const refusedKinds = {
  premium: 'a premium-rate range',
  sharedCost: 'a shared-cost range',
  personal: 'a range of personal numbers that are forwarded at the cost of the caller',
  directory: 'a range of directory enquiries',
  emergency: 'a range of emergency or short numbers',
  satellite: 'a range of satellite or international networks',
  fiction: 'a range for films, books and sandboxes, which no line ever has',
  areaCode: 'a range without any line, since an area code begins with 2 to 9',
} as const
export type RefusedKind = keyof typeof refusedKinds

/**
 * One calling code. Each kind lists prefixes of the national number, without the trunk prefix; a dot is any digit.
 * `ordinary` lists whole numbers that begin like a refused prefix and belong to ordinary lines.
 */
export type NumberPlan = Partial<Record<Exclude<RefusedKind, 'satellite'>, string>> & {
  readonly ordinary?: string
  /** The trunk prefix where it is not 0; null where a leading 0 is a part of the number. */
  readonly trunk?: string | null
}

/**
 * Calling codes that belong to no country (ITU-T E.164, list of assigned country codes): universal personal numbers,
 * satellite and international networks, and shared-cost and premium-rate services.
 */
export const worldwideRanges: Readonly<Record<string, RefusedKind>> = {
  808: 'sharedCost',
  870: 'satellite',
  878: 'personal',
  881: 'satellite',
  882: 'satellite',
  883: 'satellite',
  979: 'premium',
  999: 'emergency',
}

/**
 * The countries that gates may be in unless a Space has a list of its own. Sources: the national numbering plans as
 * published by the ITU and the regulators, and the metadata of libphonenumber, which a test compares with this table.
 */
const usualPlans: Readonly<Record<string, NumberPlan>> = {
  // No area code begins with 0 or 1: +110… and +112… could only be an emergency number with something behind it.
  // NANPA: area 900, exchanges 976 and 555-1212 in every area, 5XX personal, N11 short. Jamaica has ordinary 876-976.
  1: {
    premium: '900 ...976 24697 34597',
    personal: '500 521 522 523 524 525 526 527 528 529 532 533 544 566 577 588 622 633',
    directory: '...5551212',
    emergency: '211 311 411 511 611 711 811 911',
    areaCode: '0 1',
    ordinary: '876976....',
  },
  30: {
    premium: '90',
    sharedCost: '801 806 81 82 85 87',
    personal: '70',
    directory: '118',
    emergency: '112',
  },
  // 0118 is Middelburg, so that the table has no 118 here.
  31: { premium: '90', emergency: '112' },
  // 09 is Ghent and 011 is Hasselt; neither is refused.
  32: { premium: '70 90', sharedCost: '7879' },
  33: {
    premium:
      '812 813 814 815 816 817 818 819 822 823 824 827 828 829 83 85 86 880 881 882 883 885 886 887 888 889 89',
    sharedCost: '810 811 820 821 825 826 84 884',
    directory: '118',
    emergency: '112',
  },
  // 905 and 907 are televoting and data at a premium.
  34: {
    premium: '803 806 807 905 907',
    sharedCost: '901 902',
    personal: '70',
    directory: '118',
    emergency: '112',
  },
  36: { premium: '90 91', directory: '118', emergency: '112', trunk: '06' },
  // The decade 4 is premium services but for 43; 12 is directories. Geographic numbers keep their 0: 089 is Salerno.
  39: {
    premium: '0878 14 16 89 40 41 42 44 45 46 47 48 49',
    sharedCost: '84',
    personal: '17 19',
    directory: '12',
    emergency: '11',
    trunk: null,
  },
  40: { premium: '90', sharedCost: '801', directory: '118', emergency: '112' },
  41: { premium: '90', sharedCost: '84', personal: '87', directory: '18', emergency: '11' },
  43: { premium: '86 89 90 93', sharedCost: '81 82', directory: '118', emergency: '112' },
  // Ofcom: 08 and 09 services, 070 personal. 118xxx is directories, 0118 and seven digits is Reading.
  44: {
    premium: '84 87 9',
    personal: '70',
    directory: '118',
    emergency: '112',
    fiction: '7700900',
    ordinary: '1182...... 1183...... 1184...... 1189......',
  },
  45: { premium: '90', directory: '118', emergency: '112' },
  // 011 is Norrköping: only what is too short for it is a directory.
  46: {
    premium: '649 900 939 944 99',
    sharedCost: '77',
    personal: '75',
    directory: '118',
    ordinary: '118.... 118..... 118......',
  },
  47: {
    premium: '82',
    sharedCost: '81000 81001 81002 81003 81004 81005 81006 8102 8103 8104 8105 8106 8107 8108',
    personal: '88',
    directory: '18',
    emergency: '11',
  },
  48: { premium: '70', sharedCost: '801', directory: '118', emergency: '112' },
  // 0137 is mass calling, 012 and 019 services of networks, 0190 the old premium range. 0906 is Donauwörth.
  49: {
    premium: '900 1377 1378 1379 12 19',
    sharedCost: '1371 1372 1373 1374 1375 1376 138 180',
    personal: '700',
    directory: '118',
    emergency: '110 112',
  },
  // 707 and 708 are universal access: one price for the whole country, set by the operator of the number called.
  351: {
    premium: '601 607 608 64 76',
    sharedCost: '707 708 808 809',
    personal: '88',
    directory: '118 18',
    emergency: '112',
  },
  352: { premium: '900 901 905', sharedCost: '801', directory: '118', emergency: '112' },
  // 15xx and 1850, 1890 have ten digits; eight digits that begin with 1 are Dublin.
  353: {
    premium: '15',
    sharedCost: '1850 1890',
    personal: '70',
    directory: '118',
    emergency: '112',
    ordinary: '15...... 1850.... 1890....',
  },
  354: { premium: '90', directory: '118', emergency: '112' },
  356: { premium: '500 506 507 509 51 52', directory: '118', emergency: '112' },
  357: {
    premium: '90',
    sharedCost: '801 802 803 804 805 806 807 808 809',
    personal: '70',
    directory: '118',
    emergency: '112',
  },
  // 0100, 0101, 0106 and 0107 are service numbers; the rest of 010 is business lines, as are 0201, 02021, 02024 to 02029,
  // 0203 to 0208, but for 02098 and 02099, and 0301 to 0309. 0606, 0707 and 0708 are payment services.
  358: {
    premium: '600 606 700 707 708 100 101 106 107 200 2020 2022 2023 2098 2099 300',
    directory: '118',
    emergency: '112',
  },
  359: { premium: '90', sharedCost: '700', directory: '118', emergency: '112' },
  370: {
    premium: '900 902 903 909 91',
    sharedCost: '808',
    personal: '700 705',
    directory: '118',
    emergency: '112',
    trunk: '8',
  },
  371: { premium: '90', sharedCost: '81', directory: '118', emergency: '112' },
  372: { premium: '40 90', personal: '70', directory: '118', emergency: '112' },
  385: { premium: '60 61 64 65 69', personal: '74 75', directory: '118', emergency: '112' },
  386: { premium: '89 90', directory: '118', emergency: '112' },
  420: { premium: '90 976', sharedCost: '81 83 84', personal: '700 701', directory: '118', emergency: '112' },
  421: { premium: '900 97 98', sharedCost: '85 86 87 88 89', directory: '118', emergency: '112' },
  423: { premium: '90', directory: '18', emergency: '11' },
}

/** The countries that an owner may add, from the metadata of libphonenumber. */
const otherPlans: Readonly<Record<string, NumberPlan>> = {
  7: { premium: '803 809', personal: '808', trunk: '8' },
  20: { premium: '90' },
  27: { sharedCost: '860', premium: '862 863 864 865 866 867 868 869 90 91 92' },
  51: { sharedCost: '801', personal: '802 804', premium: '805' },
  52: { sharedCost: '30', personal: '50', premium: '90' },
  53: { sharedCost: '807' },
  54: { premium: '60' },
  55: { sharedCost: '30 40 486', premium: '50 90' },
  56: { sharedCost: '600' },
  57: { premium: '19 90' },
  58: { premium: '90' },
  60: { premium: '1600', ordinary: '16.......' },
  61: { sharedCost: '13', premium: '19' },
  62: { sharedCost: '804', premium: '809' },
  64: { premium: '11 13 14 15 17 18 19 500 503 506 507 90', personal: '70' },
  65: { premium: '19' },
  66: { premium: '1900' },
  81: { personal: '600', premium: '990' },
  82: { personal: '50', premium: '60' },
  84: { premium: '190' },
  86: { premium: '160 168', sharedCost: '40 950' },
  90: { personal: '592', premium: '88 89 90' },
  91: { sharedCost: '1860', premium: '1861 1862', ordinary: '186.......' },
  92: { personal: '12', premium: '90' },
  212: { premium: '89' },
  213: { sharedCost: '801 802', premium: '803 804 805 806 808 809' },
  216: { sharedCost: '811 82', premium: '88' },
  221: { sharedCost: '81', premium: '88' },
  227: { premium: '09', trunk: null },
  230: { premium: '30' },
  231: { premium: '332' },
  236: { premium: '87' },
  240: { premium: '90' },
  242: { premium: '80' },
  248: { premium: '85' },
  250: { premium: '90' },
  254: { premium: '90' },
  255: { sharedCost: '84 86', premium: '90' },
  256: { premium: '90' },
  262: { sharedCost: '81 82 88 890', premium: '891 892 893 897 898 899' },
  264: { premium: '87' },
  267: { premium: '90' },
  268: { premium: '90' },
  269: { premium: '80 81 82 83 84 85 86 87 88 89' },
  297: { premium: '90' },
  298: { premium: '90' },
  355: { personal: '70', sharedCost: '808', premium: '90' },
  373: { sharedCost: '808', premium: '90' },
  374: { sharedCost: '801 802 803 804', premium: '90' },
  375: { premium: '81 90', trunk: '8' },
  376: {
    premium:
      '10 11 12 13 14 15 16 17 1801 1803 1804 1805 1806 1807 1808 1809 181 182 183 184 185 186 187 188 189 19 90 91 92 93 94 95 96 97 98 99',
  },
  378: { premium: '71 77 78' },
  380: { premium: '90' },
  381: { premium: '78 90' },
  382: { premium: '94 95' },
  383: { premium: '90' },
  387: { sharedCost: '81 82', premium: '90 92 94 96' },
  389: {
    premium: '50 51 52 53 54 55 56 57 58 59',
    sharedCost: '801 802 803 804 805 806 807 808 809 81 82 83 84 85 86 87 88 89',
  },
  502: { premium: '19' },
  503: { premium: '90' },
  506: { premium: '90' },
  507: { premium: '822 855 86 877 878 886 900 981' },
  508: { premium: '81 82 89', ordinary: '81.... 82.... 89....' },
  590: { premium: '81 82 89' },
  592: { premium: '90' },
  594: { premium: '81 82 89' },
  596: { premium: '81 82 89' },
  597: { premium: '90' },
  598: { premium: '90' },
  599: { sharedCost: '60' },
  670: { personal: '70', premium: '90' },
  687: { premium: '36' },
  852: { personal: '81 82 83', premium: '900' },
  855: { premium: '1900', ordinary: '19...... 19.......' },
  886: { premium: '20', personal: '99' },
  960: { premium: '900', ordinary: '900....' },
  961: { premium: '90 91', sharedCost: '80', ordinary: '90..... 91..... 80.....' },
  962: { personal: '70', sharedCost: '85', premium: '90 91 92 93 94 95 96 97 98 99' },
  966: { sharedCost: '920', premium: '925' },
  968: { premium: '900' },
  970: { sharedCost: '17' },
  971: { sharedCost: '70', premium: '90' },
  972: { premium: '120 121 19', sharedCost: '17' },
  973: { sharedCost: '84', premium: '87 90 91 92 93 94 95 96 97 98' },
  994: { premium: '90' },
}

export const numberPlans: Readonly<Record<string, NumberPlan>> = { ...usualPlans, ...otherPlans }
