
  `PROPERTY(low_below_sum, `SUM(LEVELS, 1, 0) != '0, low_below)
