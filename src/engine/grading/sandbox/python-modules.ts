/** Packages that answers import and a machine may lack: what is imported, and by which name it is installed where that differs. */
const packages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'numpy scipy pandas sympy networkx sortedcontainers matplotlib seaborn torch tensorflow keras jax numba gmpy2 mpmath statsmodels requests ' +
      'httpx aiohttp flask django fastapi pydantic lxml nltk spacy regex pytz tqdm joblib psutil openpyxl xlrd xlsxwriter shapely cvxpy ortools ' +
      'pulp bitarray more_itertools toolz cytoolz polars pyarrow xgboost lightgbm plotly transformers redis sqlalchemy pytest hypothesis ' +
      'cachetools unidecode rapidfuzz editdistance pyparsing click rich blist bintrees llvmlite cython numexpr'
    )
      .split(' ')
      .map(name => [name, name]),
  ),
  sklearn: 'scikit-learn',
  cv2: 'opencv-python',
  PIL: 'pillow',
  bs4: 'beautifulsoup4',
  yaml: 'PyYAML',
  dateutil: 'python-dateutil',
  skimage: 'scikit-image',
  Levenshtein: 'python-Levenshtein',
  Crypto: 'pycryptodome',
  docx: 'python-docx',
  atcoder: 'ac-library-python',
}

/** Parts of Python's own library that some builds or versions leave out. */
const library = new Set(
  (
    'tkinter turtle curses readline dbm sqlite3 ssl lzma bz2 ctypes multiprocessing fcntl termios resource grp pwd pty tty crypt nis syslog ' +
    'zoneinfo graphlib tomllib distutils imp lib2to3 idlelib ensurepip venv test asyncore asynchat smtpd cgi cgitb audioop pipes telnetlib uu xdrlib'
  ).split(' '),
)

const imported =
  /^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)|import[ \t]+([A-Za-z_][\w., \t]*))|(?:__import__|import_module)\([ \t]*['"]([A-Za-z_]\w*)/gm

/** The modules that code imports and that exist, though a sandbox may lack them. A name that is not a module anywhere is the code's mistake. */
export function importedModules(source: string): string[] {
  const names = [...source.matchAll(imported)].flatMap(([, from, list, called]) =>
    from !== undefined ? [from] : called !== undefined ? [called] : (list ?? '').split(',').map(part => /\w+/.exec(part)?.[0] ?? ''),
  )
  return [...new Set(names)].filter(name => Object.hasOwn(packages, name) || library.has(name))
}

/** What to install for a module; null for one of Python's own library. */
export function packageOf(module: string): string | null {
  return Object.hasOwn(packages, module) ? (packages[module] ?? null) : null
}
