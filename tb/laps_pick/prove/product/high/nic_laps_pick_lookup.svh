
  `PROPERTY(high_below_sum, `SUM(LEVELS, 1, 0) != '0, high_below)
