// Adds search, sorting, colour scheme and copying to a report whose content is complete without it. Reads the page alone.
(function () {
  'use strict';
  const root = document.documentElement;
  root.classList.add('js');
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const make = (tag, text, attributes) => {
    const element = document.createElement(tag);
    element.textContent = text;
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return element;
  };

  // Colour scheme: the system's, until the button says otherwise.
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem('quantloupe-theme', value);
      return localStorage.getItem('quantloupe-theme');
    } catch (error) { return value; }  // a page opened from a mail has no storage
  };
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : systemDark.matches;
  const theme = document.getElementById('theme');
  const label = () => theme.textContent = isDark() ? root.dataset.wordLight : root.dataset.wordDark;
  if (remembered()) root.dataset.theme = remembered();
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remembered(root.dataset.theme);
    label();
  });
  systemDark.addEventListener('change', label);
  label();

  const copy = (text, button) => {
    const done = (word) => {
      const before = button.dataset.label || (button.dataset.label = button.textContent);
      button.textContent = word;
      setTimeout(() => button.textContent = before, 1200);
    };
    const byHand = () => {  // no clipboard interface on file: pages of some browsers
      const area = make('textarea', text, { style: 'position:fixed;opacity:0' });
      document.body.append(area);
      area.select();
      const copied = document.execCommand('copy');
      area.remove();
      done(copied ? root.dataset.wordCopied : root.dataset.wordFailed);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => done(root.dataset.wordCopied), byHand);
    else byHand();
  };

  // Tables: sort over both bodies (the first ones and the folded rest), search, CSV.
  const collator = new Intl.Collator('en', { numeric: true });
  const number = (cell) => {
    const text = cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent.replace(/[\u202f\s]/g, '').replace(/^−/, '-');
    const value = text === '1e999' ? Infinity : text === '-1e999' ? -Infinity : parseFloat(text);
    return isNaN(value) ? null : value;
  };
  const rowsOf = (table) => all('tbody > tr', table).filter((row) => !row.classList.contains('inserted'));
  const sortTable = (table, column, descending) => {
    all('tr.inserted', table).forEach((row) => row.remove());
    const header = table.tHead.rows[0].cells;
    const numeric = header[column].classList.contains('n') || header[column].classList.contains('bar');
    const rows = rowsOf(table).map((row, index) => {
      const cell = row.cells[column];
      return { row, index, key: numeric ? number(cell) : cell.textContent };
    });
    rows.sort((a, b) => {
      if (numeric && (a.key === null || b.key === null)) return (a.key === null) - (b.key === null) || a.index - b.index;
      const order = numeric ? (a.key > b.key) - (a.key < b.key) : collator.compare(a.key, b.key);
      return (descending ? -order : order) || a.index - b.index;
    });
    const bodies = Array.from(table.tBodies);
    const first = bodies[0].rows.length;
    rows.forEach((entry, i) => bodies[i < first || bodies.length === 1 ? 0 : 1].append(entry.row));
    Array.from(header).forEach((cell, i) => {
      if (i === column) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    });
    all('[data-table="' + table.id + '"] > [data-order]').forEach((button) => button.setAttribute('aria-pressed',
      String(button.dataset.order === 'error' ? column === 4 && descending : column === 0 && !descending)));
  };
  all('table.sortable').forEach((table) => {
    Array.from(table.tHead.rows[0].cells).forEach((cell, column) => {
      if (cell.classList.contains('bar')) return;
      const button = make('button', cell.textContent, { type: 'button', class: 'sort' });
      cell.textContent = '';
      cell.append(button);
      // First click on a number: largest first; on a word: from a on.
      button.addEventListener('click', () => {
        const now = cell.getAttribute('aria-sort');
        sortTable(table, column, now ? now === 'ascending' : cell.classList.contains('n') && !cell.classList.contains('up'));
      });
    });
  });
  const searchTexts = new WeakMap();
  all('input[data-search]').forEach((field) => {
    const table = document.getElementById(field.dataset.search);
    const found = field.parentElement.querySelector('.found');
    const apply = () => {
      all('tr.inserted', table).forEach((row) => row.remove());
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      table.classList.toggle('searching', words.length > 0);
      let count = 0;
      const rows = rowsOf(table);
      rows.forEach((row) => {
        if (!searchTexts.has(row)) searchTexts.set(row, Array.from(row.cells, (cell) => cell.textContent).join('\n').toLowerCase());
        const text = searchTexts.get(row);
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) ++count;
      });
      found.textContent = words.length ? count + ' / ' + rows.length : '';
    };
    let waiting = 0;
    field.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(apply, 80);
    });
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') { field.value = ''; apply(); }
    });
  });
  all('button[data-csv]').forEach((button) => button.addEventListener('click', () => {
    const table = document.getElementById(button.dataset.csv);
    const rows = [table.tHead.rows[0]].concat(rowsOf(table).filter((row) => !row.hidden));
    const quote = (text) => /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    const cells = (row) => Array.from(row.cells).filter((cell) => !cell.classList.contains('bar'));
    copy(rows.map((row) => cells(row).map((cell) => quote(cell.textContent.trim())).join(',')).join('\n') + '\n', button);
  }));

  // Jump to a row of a table, unfolding and unfiltering it when it is hidden.
  const show = (row) => {
    const table = row.closest('table');
    const search = document.querySelector('input[data-search="' + table.id + '"]');
    if (row.hidden && search) {
      search.value = '';
      table.classList.remove('searching');
      rowsOf(table).forEach((other) => other.hidden = false);
      search.parentElement.querySelector('.found').textContent = '';
    }
    if (row.parentElement.classList.contains('more')) row.closest('.fold').querySelector('input').checked = true;
    all('tr.hit').forEach((other) => other.classList.remove('hit'));
    row.classList.add('hit');
    row.scrollIntoView({ block: 'center' });
  };
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    const target = link && document.getElementById(link.getAttribute('href').slice(1));
    if (!target) return;
    if (target.matches('.rule-set') && link.closest('td')) {  // who set it: open it below the row, again: close it
      event.preventDefault();
      const row = link.closest('tr');
      const next = row.nextElementSibling;
      if (next && next.classList.contains('inserted')) return next.remove();
      const cell = make('td', '', { colspan: row.cells.length });
      cell.innerHTML = target.lastElementChild.innerHTML;  // a part of this page, escaped where it was written
      const inserted = make('tr', '', { class: 'inserted' });
      inserted.append(cell);
      row.after(inserted);
    } else if (target.matches('tr')) {
      event.preventDefault();
      history.replaceState(null, '', link.getAttribute('href'));
      show(target);
    }
  });
  const hashed = location.hash && document.getElementById(location.hash.slice(1));
  if (hashed && hashed.matches('tr')) show(hashed);

  // Error charts: point at a column for its numbers, click for its row.
  all('.chart').forEach((chart) => {
    const rects = all('rect', chart);
    const under = chart.querySelector('.under');
    const plain = under.textContent;
    const table = document.getElementById(chart.dataset.table);
    const at = (event) => {
      const box = chart.querySelector('svg').getBoundingClientRect();
      const columns = chart.querySelector('svg').viewBox.baseVal.width;  // a short model does not fill them
      return rects[Math.min(rects.length - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * columns)))];
    };
    const plot = chart.querySelector('.plot');
    let on = null;
    const point = (rect) => {
      if (on) on.classList.remove('on');
      on = rect;
      if (on) on.classList.add('on');
      under.textContent = on ? on.textContent : plain;
    };
    plot.addEventListener('pointermove', (event) => point(at(event)));
    plot.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') point(null); });
    plot.addEventListener('click', (event) => {
      const index = String(rects.indexOf(at(event)) + 1);
      point(at(event));
      const row = rowsOf(table).find((candidate) => candidate.cells[0].textContent === index);
      if (row && event.pointerType !== 'touch') show(row);
    });
  });
  all('[data-order]').forEach((button) => button.addEventListener('click', () => {
    const table = document.getElementById(button.parentElement.dataset.table);
    sortTable(table, button.dataset.order === 'error' ? 4 : 0, button.dataset.order === 'error');
  }));

  all('button[data-copy]').forEach((button) => button.addEventListener('click', () =>
    copy(document.getElementById(button.dataset.copy).textContent, button)));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    const field = document.getElementById('search-configs');
    if (!field) return;
    event.preventDefault();
    field.scrollIntoView({ block: 'start' });
    field.focus({ preventScroll: true });
  });
}());
